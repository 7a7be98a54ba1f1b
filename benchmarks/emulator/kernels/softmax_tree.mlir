// The softmax of each row of $N columns: a block of 256 threads a row, each on
// every 256th column; maximum and sum are a tree in shared memory.
!mat = memref<$Nx$Nxf32>
!part = memref<256xf32, #gpu.address_space<workgroup>>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @softmax(%in: !mat, %out: !mat) workgroup(%part: !part) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %levels = arith.constant 8 : index
      %half = arith.constant 128 : index
      %threads = arith.constant 256 : index
      %columns = arith.constant $N : index
      %least = arith.constant 0xFF800000 : f32
      %zero = arith.constant 0.0 : f32
      %row = gpu.block_id x
      %t = gpu.thread_id x

      %m = scf.for %j = %t to %columns step %threads
          iter_args(%m = %least) -> f32 {
        %x = memref.load %in[%row, %j] : !mat
        %next = arith.maximumf %m, %x : f32
        scf.yield %next : f32
      }
      memref.store %m, %part[%t] : !part
      gpu.barrier
      scf.for %level = %c0 to %levels step %c1 {
        %s = arith.shrui %half, %level : index
        %takes = arith.cmpi ult, %t, %s : index
        scf.if %takes {
          %other = arith.addi %t, %s : index
          %a = memref.load %part[%t] : !part
          %b = memref.load %part[%other] : !part
          %c = arith.maximumf %a, %b : f32
          memref.store %c, %part[%t] : !part
        }
        gpu.barrier
      }
      %max = memref.load %part[%c0] : !part
      gpu.barrier

      %e = scf.for %j = %t to %columns step %threads
          iter_args(%sum = %zero) -> f32 {
        %x = memref.load %in[%row, %j] : !mat
        %d = arith.subf %x, %max : f32
        %y = math.exp %d : f32
        memref.store %y, %out[%row, %j] : !mat
        %next = arith.addf %sum, %y : f32
        scf.yield %next : f32
      }
      memref.store %e, %part[%t] : !part
      gpu.barrier
      scf.for %level = %c0 to %levels step %c1 {
        %s = arith.shrui %half, %level : index
        %takes = arith.cmpi ult, %t, %s : index
        scf.if %takes {
          %other = arith.addi %t, %s : index
          %a = memref.load %part[%t] : !part
          %b = memref.load %part[%other] : !part
          %c = arith.addf %a, %b : f32
          memref.store %c, %part[%t] : !part
        }
        gpu.barrier
      }
      %one = arith.constant 1.0 : f32
      %sum = memref.load %part[%c0] : !part
      %scale = arith.divf %one, %sum : f32
      scf.for %j = %t to %columns step %threads {
        %y = memref.load %out[%row, %j] : !mat
        %z = arith.mulf %y, %scale : f32
        memref.store %z, %out[%row, %j] : !mat
      }
      gpu.return
    }
  }
  func.func @run(%in: !mat, %out: !mat) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %rows = arith.constant $N : index
    gpu.launch_func @kernels::@softmax
        blocks in (%rows, %c1, %c1) threads in (%threads, %c1, %c1)
        args(%in : !mat, %out : !mat)
    return
  }
}
