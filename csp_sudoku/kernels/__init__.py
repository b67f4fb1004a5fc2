"""The inner loops of the hand-written engines, as machine code over flat arrays.

    dlx     exact cover with colours, after Knuth's Algorithm C and dancing links
    boards  backtracking on boards, for networks of differences and relations
    search  backtracking with propagation, for any network
    metropolis  local search, for large networks of differences and relations

They are compiled by :func:`csp_encodings.jit.kernel`. A kernel keeps all its state in arrays that
the caller owns, and can be called again and again: in between, plain Python looks at the deadline
and at signals.
"""
