/** The file types of an offer: a package type, or a configuration file. */
import { packageTypes } from './package.ts'

export const fileTypes = [...packageTypes, 'config'] as const
export type FileType = (typeof fileTypes)[number]
