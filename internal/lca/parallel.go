package lca

import (
	"context"
	"sync"
)

// parallel runs n tasks on numbered goroutines until one fails or the context
// ends.
func parallel(ctx context.Context, threads, n int, task func(worker, i int) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	tasks := make(chan int)
	var workers sync.WaitGroup
	for worker := range min(threads, n) {
		workers.Go(func() {
			for i := range tasks {
				if err := task(worker, i); err != nil {
					stop(err)
				}
			}
		})
	}
	for i := 0; i < n && ctx.Err() == nil; i++ {
		select {
		case tasks <- i:
		case <-ctx.Done():
		}
	}
	close(tasks)
	workers.Wait()
	return context.Cause(ctx)
}
