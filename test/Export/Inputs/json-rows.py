"""What a module in JSON has, and that its references lead somewhere."""
import json
import sys

for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        module = json.load(file)
    messages, participants = module["messages"], module["participants"]
    for message in messages:
        assert 0 <= message["sender"] < len(participants)
        assert 0 <= message["receiver"] < len(participants)
    for behaviour in module["behaviours"]:
        nodes = behaviour["nodes"]
        for node in nodes:
            assert node.get("message", 0) < max(len(messages), 1)
            assert node.get("parent", 0) < len(nodes)
        for flow in behaviour["flows"]:
            assert flow["source"] < len(nodes) and flow["target"] < len(nodes)
    for flow in module["messageFlows"]:
        assert flow["message"] < len(messages)
    print("%s; %d behaviours; every reference has a row; %d witnesses" % (
        ", ".join(p["name"] for p in participants), len(module["behaviours"]),
        sum("witness" in fact for fact in module["facts"])))
    for behaviour in module["behaviours"]:
        for flow in behaviour["flows"]:
            if "guard" in flow:
                print(flow["guard"])
