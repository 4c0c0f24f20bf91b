import { object } from '../kit/about.ts'

export const taskObject = object('task')
