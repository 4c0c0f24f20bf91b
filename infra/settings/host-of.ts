/** In an address an IPv6 host has brackets; in a look-up, a connection and a certificate it has none. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')
