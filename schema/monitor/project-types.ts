/** [§3 Project] What it monitors. */
export const projectTypes = ['energy', 'environment', 'industry', 'water', 'building', 'other'] as const
