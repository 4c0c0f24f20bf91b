/** Node options of each room; the scripts in package.json repeat them for rooms that are started alone. */

export const roomFlags: Readonly<Record<string, readonly string[]>> = {
  // A forwarded download passes through buffers outside the heap, and V8 would scan the whole heap for every 32 MB of
  // them: a quarter of the processor time of a download. With this flag they are counted like heap memory.
  api: ['--external-memory-accounted-in-global-limit'],
  // Connections that come and go leave objects that live just long enough to be promoted to the old generation. By
  // default V8 lets 128 MB of young objects and hundreds of MB of dead old ones accumulate before a collection; here
  // dead old ones may reach the size of the live ones.
  broker: ['--max-semi-space-size=16', '--heap-growing-percent=100'],
}
