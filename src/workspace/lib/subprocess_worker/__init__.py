"""Work in a child process: what is sent by strangers, or takes long, costs bounded memory and time and cannot take this
process along."""
