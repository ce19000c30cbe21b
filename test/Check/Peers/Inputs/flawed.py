# A long walk among many participants; then a message that is reused but told
# apart by what follows, and at the end a sender that was told nothing.
peers = 100
steps = ["p%d -> p%d : m%d" % (i % peers, (i + 1) % peers, i)
         for i in range(4 * peers)]
steps.append("loop { p0 -> d : data ; d -> p0 : ack } ; p0 -> d : end"
             " ; d -> p0 : ack ; p0 -> a : over")
steps.append("a -> b : last ; q -> r : late")
print("choreography Two {\n  %s\n}" % "\n  ; ".join(steps))
