import { getFilings } from '#schema/platform/filing'
import { openHandler } from '../kit/handler.ts'

export const getFilingsHandler = openHandler(getFilings, async ({ env }) => ({ list: env.FILING_LINKS }))
