import { object } from '../kit/about.ts'

export const packageObject = object('package')
