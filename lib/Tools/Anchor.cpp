// Tools
