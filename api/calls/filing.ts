import { getFilings } from '#schema/filing'
import { openHandler } from '../handler.ts'

export const getFilingsHandler = openHandler(getFilings, async ({ env }) => ({ list: env.FILING_LINKS }))
