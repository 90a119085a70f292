/** The Agent Client Protocol with the smallest true updates: an agent, a builder, a proxy. */
export {};
