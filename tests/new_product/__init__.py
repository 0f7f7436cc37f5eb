"""The generator of products (`bin/new-product`): what it writes runs, and what it refuses writes nothing."""
