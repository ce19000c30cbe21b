# A process that ends by one of N terminate events.
import sys

count = int(sys.argv[1])
print('<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL">'
      '<process id="P"><startEvent id="s"/><exclusiveGateway id="g"/>'
      '<sequenceFlow id="f" sourceRef="s" targetRef="g"/>')
for i in range(count):
    print(f'<endEvent id="e{i}"><terminateEventDefinition/></endEvent>'
          f'<sequenceFlow id="f{i}" sourceRef="g" targetRef="e{i}"/>')
print('</process></definitions>')
