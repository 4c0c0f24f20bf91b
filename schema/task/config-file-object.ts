import { object } from '../kit/about.ts'

export const configFileObject = object('configFile')
