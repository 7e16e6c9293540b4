"""What is done to gradients between the tape and the update."""
