package import FirnPlatform

// Crashes, and the disks after them.
extension SimulatedFileSystem {
    /// The number of operations that changed the disk, or tried to, since the start.
    package var operationCount: Int { disk.withLock { $0.history.count } }

    /// These operations.
    package var history: [SimulatedOperation] { disk.withLock { $0.history } }

    /// Resets the count of operations, for example after the setup of a test.
    package func forgetHistory() { disk.withLock { $0.forgetHistory() } }

    /// Stops the machine at the operation with this number, from 0: it and everything after it
    /// throws, and only the given part of it happens.
    package func crash(at operation: Int, applying part: AppliedPart = .nothing) {
        disk.withLock { $0.plan(crashAt: operation, applying: part) }
    }

    /// Stops the machine now: no later operation has an effect.
    package func crash() { disk.withLock { $0.hasCrashed = true } }

    /// Whether the machine has stopped.
    package var hasCrashed: Bool { disk.withLock { $0.hasCrashed } }

    /// Plans a fault; of several plans the first that matches applies.
    package func plan(_ fault: Fault) { disk.withLock { $0.plan(fault) } }

    /// Removes all planned faults and crashes; a machine that has stopped stays stopped.
    package func forgetPlans() { disk.withLock { $0.forgetPlans() } }

    /// The disk that the next boot finds, without any plan, lock or handle.
    ///
    /// The same loss of the same disk always leaves the same image.
    package func powerLossImage(_ loss: PowerLoss) -> SimulatedFileSystem {
        let leftovers = disk.withLock { disk in
            disk.leftovers
                + disk.inodes.sorted { $0.key < $1.key }.map(\.value.durable)
                .filter { !$0.isEmpty }
        }
        var survival = Survival(loss, leftovers: leftovers)
        return image(&survival)
    }

    /// The number of items that a power loss may keep or lose now: sectors, sizes and names.
    ///
    /// Sectors past a size that is lost are lost with it, and the choices after them move up.
    package var doubtfulCount: Int {
        var survival = Survival(.everythingSurvives)
        _ = image(&survival)
        return survival.choiceCount
    }

    private func image(_ survival: inout Survival) -> SimulatedFileSystem {
        let old = disk.withLock { $0 }
        var new = SimulatedDisk()
        new.capacity = old.capacity
        new.canReserve = old.canReserve
        new.isReadOnly = old.isReadOnly
        new.volume = old.volume
        new.nextNumber = old.nextNumber
        new.boot = old.boot + 1
        new.names = old.names.survivors(&survival)
        for (number, inode) in old.inodes.sorted(by: { $0.key < $1.key }) {
            // The choices are made for every file, so that they do not depend on the names.
            let bytes = inode.survivors(&survival)
            guard new.names.mayNeed(number) else { continue }
            new.inodes[number] = SimulatedInode(
                settled: bytes, reservedEnd: inode.durableReservedEnd)
        }
        return SimulatedFileSystem(state: new)
    }

    /// The disk that the next process finds after all others were killed: written data can be read,
    /// and unsynced data still is not synced.
    package func processDeathImage() -> SimulatedFileSystem {
        var state = disk.withLock { $0 }
        state.forgetPlans()
        state.forgetHistory()
        state.endAllProcesses()
        let names = state.names
        state.inodes = state.inodes.filter { names.mayNeed($0.key) }
        return SimulatedFileSystem(state: state)
    }

    /// The services of the simulated machine.
    package func services(
        clock: any Clock = SimulatedClock(), entropySeed: UInt64 = 1
    ) -> SystemServices {
        waits(on: clock)
        return SystemServices(
            files: self, clock: clock, entropy: SeededEntropy(seed: entropySeed),
            bootIdentity: bootIdentity)
    }

    /// The identity of the boot of the simulated machine.
    package var bootIdentity: BootIdentity {
        BootIdentity(high: 0x5349_4D55_4C41_5445, low: disk.withLock { $0.boot })
    }
}
