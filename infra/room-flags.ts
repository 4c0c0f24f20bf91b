/** Node options of each room; the scripts in package.json repeat them for rooms that are started alone. */

export const roomFlags: Readonly<Record<string, readonly string[]>> = {
  // Connections that come and go leave objects that live just long enough to be promoted to the old generation. By
  // default V8 lets 128 MB of young objects and hundreds of MB of dead old ones accumulate before a collection; here
  // it is half of the live size.
  broker: ['--max-semi-space-size=16', '--heap-growing-percent=50'],
}
