/** Options of Node that a room is started with; package.json says the same for who starts a room alone. */

export const roomFlags: Readonly<Record<string, readonly string[]>> = {
  // Connections that come and go leave much behind that lives just long enough to count as old. By itself V8 lets 128 MB of
  // young objects and hundreds of MB of dead old ones gather before it collects them: here half of what lives.
  broker: ['--max-semi-space-size=16', '--heap-growing-percent=50'],
}
