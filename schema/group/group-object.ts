import { object } from '../kit/about.ts'

export const groupObject = object('group')
