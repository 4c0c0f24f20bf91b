import { object } from '../kit/about.ts'

export const userObject = object('user')
