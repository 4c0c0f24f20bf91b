/** Options of Node that a room is started with; package.json says the same for who starts a room alone. */

export const roomFlags: Readonly<Record<string, readonly string[]>> = {
  // Young objects may otherwise take 128 MB and more before they are collected: connections that come and go fill it up.
  broker: ['--max-semi-space-size=8'],
}
