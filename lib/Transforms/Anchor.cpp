// Transforms
