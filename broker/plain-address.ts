/** IPv4 as seen by a socket that listens on IPv6 too: without the prefix. */
export const plain = (address: string | undefined): string => (address ?? '').replace(/^::ffff:/, '')
