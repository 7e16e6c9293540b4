"""Recording, pulling back, pushing forward, custom gradients, and the explanation of a missing gradient."""
