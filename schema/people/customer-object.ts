import { object } from '../kit/about.ts'

export const customerObject = object('customer')
