#!/usr/bin/env python3
"""Makes BPMN of a few lines of text, for tests.

    pool Shop                a pool; without elements: a black box
    KIND ID -> ID ...        an element and where its sequence flows lead
    message ID -> ID : NAME  a message flow between elements or pools

Kinds: start, end, task, send, receive, xor, and, or, event (event-based),
catch and throw (message events), mstart (message start), terminate.
"""
import sys

ELEMENTS = {
    "start": ("startEvent", ""),
    "mstart": ("startEvent", "<messageEventDefinition/>"),
    "end": ("endEvent", ""),
    "terminate": ("endEvent", "<terminateEventDefinition/>"),
    "task": ("task", ""),
    "send": ("sendTask", ""),
    "receive": ("receiveTask", ""),
    "catch": ("intermediateCatchEvent", "<messageEventDefinition/>"),
    "throw": ("intermediateThrowEvent", "<messageEventDefinition/>"),
    "xor": ("exclusiveGateway", ""),
    "and": ("parallelGateway", ""),
    "or": ("inclusiveGateway", ""),
    "event": ("eventBasedGateway", ""),
}

pools, messages = [], []
for line in open(sys.argv[1], encoding="utf-8"):
    words = line.split()
    if not words or words[0].startswith("#"):
        continue
    if words[0] == "pool":
        pools.append((words[1], []))
    elif words[0] == "message":
        messages.append((words[1], words[3], words[5]))
    else:
        pools[-1][1].append((words[0], words[1], words[3:]))

out = ['<?xml version="1.0" encoding="UTF-8"?>',
       '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" '
       'id="d" targetNamespace="http://cif.example/test">',
       '<collaboration id="collaboration">']
for name, elements in pools:
    process = ' processRef="p_%s"' % name if elements else ""
    out.append('<participant id="%s" name="%s"%s/>' % (name, name, process))
for i, (source, target, name) in enumerate(messages):
    out.append('<messageFlow id="m%d" name="%s" sourceRef="%s" targetRef="%s"/>'
               % (i, name, source, target))
out.append("</collaboration>")
for name, elements in pools:
    if not elements:
        continue
    out.append('<process id="p_%s">' % name)
    for kind, id, targets in elements:
        tag, inside = ELEMENTS[kind]
        out.append('<%s id="%s" name="%s">%s</%s>' % (tag, id, id, inside, tag))
    for kind, id, targets in elements:
        for target in targets:
            out.append('<sequenceFlow id="%s_%s" sourceRef="%s" targetRef="%s"/>'
                       % (id, target, id, target))
    out.append("</process>")
out.append("</definitions>")
print("\n".join(out))
