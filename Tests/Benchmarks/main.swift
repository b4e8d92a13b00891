import ArgumentParser

BenchCommand.main()
