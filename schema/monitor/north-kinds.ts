/** Kinds of targets that values are forwarded to: a customer's own systems. */
export const northKinds = ['mqtt', 'http', 'kafka'] as const
export type NorthKind = (typeof northKinds)[number]

/**
 * What customers see when a target does not accept messages. `unreachable` does not reveal whether a name, an
 * address, a port or our own rules were the cause: a target must not be usable to scan networks. The log has the cause.
 * `partlyRefused`: it takes other messages, so those that it refused for their content were passed over.
 */
export const northFaults = ['unreachable', 'refused', 'unreadable', 'partlyRefused'] as const
/** How long it is said that messages were passed over. */
export const PARTLY_REFUSED_DAYS = 7
export type NorthFault = (typeof northFaults)[number]
