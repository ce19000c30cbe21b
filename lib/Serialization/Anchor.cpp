// Serialization
