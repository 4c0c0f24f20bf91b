/** Replaces the name of a platform user in what a customer reads; not a valid user name [decisions/062]. */
export const PLATFORM_NAME = '@platform'
