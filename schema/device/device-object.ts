import { object } from '../kit/about.ts'

export const deviceObject = object('device')
