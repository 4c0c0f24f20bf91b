/** What the file of an offer may be: a package of one of its types, or a configuration file. */
import { packageTypes } from './package.ts'

export const fileTypes = [...packageTypes, 'config'] as const
export type FileType = (typeof fileTypes)[number]
