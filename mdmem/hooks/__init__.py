"""What agents call at their own events: `capture` where they only ask for a job, `recall` where they are told."""
