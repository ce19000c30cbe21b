"""A process with an inclusive gateway 'g' that may take any of N flows to tasks, after which the flows meet in a gateway
(inclusive, parallel), or each ends. `data`: flow i is taken if the number that the process receives is i.

    wide-splits.py N inclusive|parallel|ends [default] [data]
"""
import sys

number, after = int(sys.argv[1]), sys.argv[2]
default = ' default="o0"' if "default" in sys.argv else ""
data = "data" in sys.argv
print('<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" id="d" targetNamespace="x">')
if data:
    print("""<message id="m" name="order(uint x)"/>
<collaboration id="c"><participant id="q" name="q"/><participant id="r" name="r" processRef="p"/>
<messageFlow id="mf" messageRef="m" sourceRef="q" targetRef="s"/></collaboration>""")
start = '<messageEventDefinition messageRef="m"/>' if data else ""
print(f"""<process id="p"><startEvent id="s">{start}</startEvent><sequenceFlow id="f" sourceRef="s" targetRef="g"/>
<inclusiveGateway id="g"{default}/>""")
for i in range(number):
    name = f' name="x=={i}"' if data else ""
    print(f'<sequenceFlow id="o{i}"{name} sourceRef="g" targetRef="t{i}"/><task id="t{i}"/>')
    if after != "ends":
        print(f'<sequenceFlow id="j{i}" sourceRef="t{i}" targetRef="j"/>')
if after != "ends":
    print(f'<{after}Gateway id="j"/><sequenceFlow id="z" sourceRef="j" targetRef="e"/><endEvent id="e"/>')
print("</process></definitions>")
