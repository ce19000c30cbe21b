# The text form without sources, places and ids.
/^source /d
s/ @[^ ]*//g
s/ #[^ ]*//g
s/ \{[^{}]*\}$//
