// out = a * x + y, 256 threads a block, one element a thread, guarded.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @axpy(%n: index, %a: f32, %x: memref<?xf32>, %y: memref<?xf32>,
                   %out: memref<?xf32>) kernel {
      %block = gpu.block_id x
      %threads = gpu.block_dim x
      %thread = gpu.thread_id x
      %first = arith.muli %block, %threads : index
      %i = arith.addi %first, %thread : index
      %inside = arith.cmpi slt, %i, %n : index
      scf.if %inside {
        %xi = memref.load %x[%i] : memref<?xf32>
        %yi = memref.load %y[%i] : memref<?xf32>
        %result = math.fma %a, %xi, %yi : f32
        memref.store %result, %out[%i] : memref<?xf32>
      }
      gpu.return
    }
  }
  func.func @run(%a: f32, %x: memref<?xf32>, %y: memref<?xf32>,
                 %out: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %n = memref.dim %x, %c0 : memref<?xf32>
    %blocks = arith.ceildivui %n, %threads : index
    gpu.launch_func @kernels::@axpy
        blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
        args(%n : index, %a : f32, %x : memref<?xf32>, %y : memref<?xf32>,
             %out : memref<?xf32>)
    return
  }
}
