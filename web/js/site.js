// The first page of the site without a server: three doors, each with a small picture.

import { drawDoors } from "./doors.js";
import { mountMasthead } from "./masthead.js";

mountMasthead({ games: true });
drawDoors();
