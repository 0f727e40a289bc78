import { isLoopback } from '../../shared/model-addresses.ts';
import { addressOf, type Place } from './providers.ts';

/** Whether what is sent to a place leaves this computer. */
export const isElsewhere = (place: Place): boolean => !isLoopback(addressOf(place));
