"""Small models in every language, with what is changed in them without changing
any answer. A model is a file name, its text, words that may be renamed, and a
choreography that peers and processes may conform to."""

STORE = """protocol Store {
  initial s0  final s0
  s0 -> s1 : cl -> appli : req
  s1 -> s2 : appli -> db : keep
  s2 -> s0 : db -> appli : ack
}
"""

DELIVERY = """protocol Delivery {
  initial s0  final s3
  s0 -> s1 : buyer -> shop : express
  s1 -> s3 : courier -> buyer : van
  s0 -> s2 : buyer -> shop : normal
  s2 -> s3 : courier -> buyer : bike
}
"""

RING = """protocol Ring {
  initial s0  final s3
  s0 -> s1 : aa -> bb : one
  s1 -> s2 : bb -> cc : two
  s2 -> s3 : cc -> aa : three
}
"""

TERM = """choreography Shop {
  buyer -> seller : order ;
  ( seller -> bank : check ; bank -> seller : fine
    + seller -> buyer : sorry ; seller -> bank : nothing )
}
"""

BOTH = """choreography Both {
  ( aa -> bb : left || cc -> dd : right ) ; bb -> cc : join
}
"""

PEERS = """peer ping {
  initial 0  final 2
  0 -> 1 : pong!ball
  1 -> 2 : pong?back
}
peer pong {
  initial 0  final 2
  0 -> 1 : ping?ball
  1 -> 2 : ping!back
}
"""

STUCK = """peer ping {
  initial 0  final 2
  0 -> 1 : pong?back
  1 -> 2 : pong!ball
}
peer pong {
  initial 0  final 2
  0 -> 1 : ping?ball
  1 -> 2 : ping!back
}
"""

ORPHAN = """peer ping {
  initial 0  final 2
  0 -> 1 : pong!ball
  1 -> 2 : pong!more
}
peer pong {
  initial 0  final 1
  0 -> 1 : ping?ball
}
"""

COLLABORATION = """<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" id="d" targetNamespace="urn:d">
  <message id="m1" name="order"/>
  <message id="m2" name="bill"/>
  <collaboration id="c">
    <participant id="p1" name="Buyer" processRef="buy"/>
    <participant id="p2" name="Seller" processRef="sell"/>
    <messageFlow id="f1" sourceRef="b1" targetRef="s1" messageRef="m1"/>
    <messageFlow id="f2" sourceRef="s2" targetRef="b2" messageRef="m2"/>
  </collaboration>
  <process id="buy">
    <startEvent id="b0"/>
    <sendTask id="b1" name="order" messageRef="m1"/>
    <receiveTask id="b2" name="take the bill" messageRef="m2"/>
    <endEvent id="b3"/>
    <sequenceFlow id="bf1" sourceRef="b0" targetRef="b1"/>
    <sequenceFlow id="bf2" sourceRef="b1" targetRef="b2"/>
    <sequenceFlow id="bf3" sourceRef="b2" targetRef="b3"/>
  </process>
  <process id="sell">
    <startEvent id="s0"/>
    <receiveTask id="s1" name="take the order" messageRef="m1"/>
    <sendTask id="s2" name="bill" messageRef="m2"/>
    <endEvent id="s3"/>
    <sequenceFlow id="sf1" sourceRef="s0" targetRef="s1"/>
    <sequenceFlow id="sf2" sourceRef="s1" targetRef="s2"/>
    <sequenceFlow id="sf3" sourceRef="s2" targetRef="s3"/>
  </process>
</definitions>
"""

# Tasks with message flows both ways, and flows without names, two of them between
# tasks of one name.
TWO_WAY = """<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" id="d" targetNamespace="urn:d">
  <collaboration id="c">
    <participant id="p1" name="Guest" processRef="eat"/>
    <participant id="p2" name="Cook" processRef="bake"/>
    <messageFlow id="f1" sourceRef="g1" targetRef="k1"/>
    <messageFlow id="f2" sourceRef="k1" targetRef="g1"/>
    <messageFlow id="f3" sourceRef="k2" targetRef="g3"/>
    <messageFlow id="f4" sourceRef="k3" targetRef="g2"/>
  </collaboration>
  <process id="eat">
    <startEvent id="g0"/>
    <task id="g1" name="choose"/>
    <task id="g2" name="take"/>
    <task id="g3" name="take"/>
    <endEvent id="g4"/>
    <sequenceFlow id="gf1" sourceRef="g0" targetRef="g1"/>
    <sequenceFlow id="gf2" sourceRef="g1" targetRef="g2"/>
    <sequenceFlow id="gf3" sourceRef="g2" targetRef="g3"/>
    <sequenceFlow id="gf4" sourceRef="g3" targetRef="g4"/>
  </process>
  <process id="bake">
    <startEvent id="k0"/>
    <task id="k1" name="advise"/>
    <task id="k2" name="serve"/>
    <task id="k3" name="serve"/>
    <endEvent id="k4"/>
    <sequenceFlow id="kf1" sourceRef="k0" targetRef="k1"/>
    <sequenceFlow id="kf2" sourceRef="k1" targetRef="k2"/>
    <sequenceFlow id="kf3" sourceRef="k2" targetRef="k3"/>
    <sequenceFlow id="kf4" sourceRef="k3" targetRef="k4"/>
  </process>
</definitions>
"""

BALLS = ("balls.cp", """protocol Balls {
  initial s0  final s2
  s0 -> s1 : ping -> pong : ball
  s1 -> s2 : pong -> ping : back
}
""")

ORDERS = ("orders.cp", """protocol Orders {
  initial s0  final s2
  s0 -> s1 : Buyer -> Seller : order
  s1 -> s2 : Seller -> Buyer : bill
}
""")

MEALS = ("meals.cp", """protocol Meals {
  initial s0  final s4
  s0 -> s1 : Guest -> Cook : choose
  s1 -> s2 : Cook -> Guest : advise
  s2 -> s3 : Cook -> Guest : serve
  s3 -> s4 : Cook -> Guest : serve
}
""")

# The file, its text, the words of it that can be renamed, and a choreography.
MODELS = [
    ("store.cp", STORE, ["cl", "appli", "db", "req", "keep", "ack"], BALLS),
    ("delivery.cp", DELIVERY,
     ["buyer", "shop", "courier", "express", "normal", "van", "bike"], BALLS),
    ("ring.cp", RING, ["aa", "bb", "cc", "one", "two", "three"], BALLS),
    ("shop.ioc", TERM, ["buyer", "seller", "bank", "order", "check", "fine"],
     BALLS),
    ("both.ioc", BOTH, ["aa", "bb", "cc", "dd", "left", "right", "join"], BALLS),
    ("peers.cp", PEERS, ["ping", "pong", "ball", "back"], BALLS),
    ("stuck.cp", STUCK, ["ping", "pong", "ball", "back"], BALLS),
    ("orphan.cp", ORPHAN, ["ping", "pong", "ball", "more"], BALLS),
    ("shop.bpmn", COLLABORATION, ["Buyer", "Seller", "order", "bill"], ORDERS),
    ("pizza.bpmn", TWO_WAY,
     ["Guest", "Cook", "choose", "advise", "take", "serve"], MEALS),
]
