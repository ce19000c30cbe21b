// LTS
