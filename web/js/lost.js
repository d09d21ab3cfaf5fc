// An address that leads nowhere (404): says so, and where to go instead.

import { createBoard } from "./board.js";
import { cellsOf } from "./disc.js";
import { byId } from "./elements.js";
import { mountMasthead } from "./masthead.js";

mountMasthead();
const board = createBoard({ lane: false, buttons: false });
byId("board-place").append(board.element);
board.show(cellsOf([4, 4, 5, 3, 3, 5]));
