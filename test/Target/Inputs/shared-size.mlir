// An array of SIZE floats reversed, through a tile that holds all of it.
uop.kernel @reverse(%in: memref<SIZExf32>, %out: memref<SIZExf32>) {
  %size = arith.constant SIZE : index
  %c1 = arith.constant 1 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  %i = uop.range loop SIZE
  %x = uop.load %in[%i] : memref<SIZExf32>
  %t = uop.stage %x over(%i) {vector = 4} : !uop.tile<SIZExf32, workgroup>
  %up = arith.addi %size, %c255 : index
  %n = uop.floordiv %up, %c256
  %s = uop.range serial %n
  %l = uop.range local<x> 256
  %s256 = arith.muli %s, %c256 : index
  %p = arith.addi %s256, %l : index
  %inside = arith.cmpi slt, %p, %size : index
  %last = arith.subi %size, %c1 : index
  %r = arith.subi %last, %p : index
  %y = uop.load %t[%r] mask %inside : !uop.tile<SIZExf32, workgroup>
  uop.store %y, %out[%p] mask %inside unique : memref<SIZExf32>
}
