import { object } from '../kit/about.ts'

export const reportScheduleObject = object('reportSchedule')
