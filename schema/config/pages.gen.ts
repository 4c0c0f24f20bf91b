// Generated from the files in schema/config/pages/ by `npm run generate`; do not edit.
import { wan } from './pages/wan.ts'

export const configPages = { wan }
