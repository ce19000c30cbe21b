// The client may pay, or the booking system may warn it: each decides on its own.
protocol Booking {
  initial s0  final s2, s3
  s0 -> s1 : cl -> bs : pay
  s1 -> s2 : bs -> cl : ticket
  s0 -> s3 : bs -> cl : alert
}
