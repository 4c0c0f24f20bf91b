/** Stands for a platform user in what a customer reads; no user name can be like this [decisions/062]. */
export const PLATFORM_NAME = '@platform'
