/** Login history: who came in, who was turned away, from where. */
export const loginWays = ['username', 'email'] as const
