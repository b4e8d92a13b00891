import FirnPlatform
import FirnTesting
import Testing

@Suite("Crashes and faults of the simulated disk")
struct CrashAndFaultTests {
    private let inputOutput: Int32 = 5
    private let noSpace: Int32 = 28

    private func disk(_ bytes: [UInt8] = []) throws -> (SimulatedFileSystem, any File) {
        let disk = SimulatedFileSystem()
        disk.setContents(of: "/x", to: bytes)
        return (disk, try disk.open("/x", .readWrite))
    }

    @Test("Operations that change the disk are counted, queries are not")
    func counting() throws {
        let disk = SimulatedFileSystem()
        let file = try disk.open("/x", .createNew)
        try file.put([1, 2], at: 3)
        try file.sync(.data)
        try file.truncate(to: 9)
        _ = try (file.get(3), file.status(), disk.status(of: "/x"), disk.open("/x", .readOnly))
        _ = try file.tryLock(LockRange(start: 0), .shared)
        try disk.rename("/x", to: "/y", replacing: false)
        try disk.syncDirectory(holding: "/y")
        try disk.remove("/y")
        #expect(
            disk.history.map(\.description) == [
                "create /x", "write /x [3, +2]", "sync /x", "truncate /x to 9", "rename /x",
                "syncDirectory /y", "remove /y",
            ])
        #expect(disk.operationCount == 7)
    }

    @Test(
        "A crash stops everything, starting with its own operation",
        arguments: [(AppliedPart.nothing, 0), (.half, 4), (.everything, 8)])
    func crash(part: AppliedPart, applied: Int) throws {
        let (disk, file) = try disk([0, 0, 0, 0, 0, 0, 0, 0])
        disk.crash(at: 1, applying: part)
        try file.put([1], at: 20)
        #expect(!disk.hasCrashed)
        #expect(code { try file.put([2, 2, 2, 2, 2, 2, 2, 2], at: 0) } == .inputOutput)
        #expect(disk.hasCrashed)
        #expect(code { try file.put([3], at: 0) } == .inputOutput)
        #expect(code { _ = try file.get(1) } == .inputOutput)
        #expect(code { _ = try disk.open("/x", .readOnly) } == .inputOutput)
        #expect(code { _ = try disk.status(of: "/x") } == .inputOutput)
        let image = disk.processDeathImage()
        #expect(image.contents(of: "/x")?.prefix(8).count { $0 == 2 } == applied)
        #expect(try image.open("/x", .readWrite).get(8, at: 20) == [1])
    }

    @Test("Process death keeps written data and drops locks and handles")
    func processDeath() throws {
        let (disk, file) = try disk([1])
        #expect(try file.tryLock(LockRange(start: 0), .exclusive))
        try file.put([2], at: 0)
        let image = disk.processDeathImage()
        #expect(!image.hasLocks && disk.hasLocks)
        #expect(image.openHandleCount == 0 && disk.openHandleCount == 1)
        #expect(image.contents(of: "/x") == [2])
        #expect(image.powerLossImage(.nothingSurvives).contents(of: "/x") == [1])
        #expect(image.services().bootIdentity == disk.services().bootIdentity)
    }

    @Test("One of several processes can be killed")
    func kill() throws {
        let (disk, file) = try disk([1])
        let other = disk.anotherProcess()
        let handle = try other.open("/x", .readWrite)
        #expect(try handle.tryLock(LockRange(start: 0), .exclusive))
        #expect(try !file.tryLock(LockRange(start: 0), .shared))
        try handle.put([2], at: 0)
        other.kill()
        #expect(code { _ = try handle.get(1) } == .inputOutput)
        #expect(try file.tryLock(LockRange(start: 0), .exclusive))
        #expect(try file.get(1) == [2])
    }

    @Test("A file without a name is removed when its last handle is closed")
    func unreachable() throws {
        let disk = SimulatedFileSystem(capacity: 10)
        do {
            let file = try disk.open("/x", .createNew)
            try file.put([UInt8](repeating: 1, count: 10), at: 0)
            try disk.syncDirectory(holding: "/x")
            try disk.remove("/x")
            try disk.syncDirectory(holding: "/x")
            #expect(code { try disk.open("/y", .createNew).put([1], at: 0) } == .diskFull)
        }
        try disk.open("/y", .readWrite).put([1], at: 0)
    }

    // MARK: Failed syncs

    @Test("A sync after a failed sync succeeds without writing the lost data")
    func failedSync() throws {
        let (disk, file) = try disk([UInt8](repeating: 1, count: 1024))
        try file.put([2], at: 0)
        disk.plan(Fault(.fails(errno: inputOutput), at: 0, of: [.sync]))
        #expect(code { try file.sync(.data) } == .inputOutput)
        try file.put([3], at: 600)
        try file.sync(.data)
        #expect(try file.get(1) == [2], "the page cache still shows it")
        let image = disk.powerLossImage(.nothingSurvives)
        #expect(image.contents(of: "/x")?[0] == 1, "the second sync did not write it")
        #expect(image.contents(of: "/x")?[600] == 3)
        let some = (0..<40).map { disk.powerLossImage(.random(seed: $0)).contents(of: "/x")?[0] }
        #expect(some.contains(1) && some.contains(2), "it may have arrived all the same")

        disk.dropCleanCache()
        #expect(try file.get(1) == [1], "and is gone when the cache is dropped")
        #expect(try file.get(1, at: 600) == [3])
    }

    @Test("Writing the same bytes again makes the next sync reliable")
    func rewriting() throws {
        let (disk, file) = try disk([UInt8](repeating: 1, count: 1024))
        try file.put([2], at: 0)
        disk.plan(Fault(.fails(errno: inputOutput), at: 0, of: [.sync]))
        #expect(code { try file.sync(.data) } == .inputOutput)
        try file.put([2], at: 0)
        try file.sync(.data)
        #expect(disk.powerLossImage(.nothingSurvives).contents(of: "/x")?[0] == 2)
    }

    @Test("After a failed sync of new bytes, the file may keep zeros")
    func zeros() throws {
        let (disk, file) = try disk([1])
        try file.put([UInt8](repeating: 2, count: 512), at: 512)
        disk.plan(Fault(.fails(errno: inputOutput), at: 0, of: [.sync]))
        #expect(code { try file.sync(.data) } == .inputOutput)
        try file.put([3], at: 1024)
        try file.sync(.data)
        let image = disk.powerLossImage(.nothingSurvives).contents(of: "/x")
        #expect(image == [1] + [UInt8](repeating: 0, count: 1023) + [3])
    }

    // MARK: Other faults

    @Test("A write to a full disk is cut to the space available", arguments: [0, 1, 5, 9])
    func capacity(room: Int) throws {
        let (disk, file) = try disk([1, 1, 1])
        disk.setCapacity(3 + room)
        let bytes = [UInt8](repeating: 2, count: 10)
        #expect(code { try file.put(bytes, at: 1) } == (room < 8 ? .diskFull : nil))
        #expect(try file.status().size == UInt64(3 + min(room, 8)))
        try file.put([9, 9, 9], at: 0)
        disk.setCapacity(nil)
        try file.put(bytes, at: 1)
        #expect(try file.get(99) == [9] + bytes)
    }

    @Test("Reserved space survives a full disk until the file is truncated or the power fails")
    func reserve() throws {
        let (disk, file) = try disk([1, 1, 1])
        disk.setCapacity(100)
        #expect(try file.reserve(from: 3, byteCount: 40))
        #expect(try file.status().size == 3)
        let other = try disk.open("/y", .createNew)
        #expect(code { try other.put([UInt8](repeating: 2, count: 99), at: 0) } == .diskFull)
        #expect(try other.status().size == 57)
        #expect(code { _ = try file.reserve(from: 3, byteCount: 41) } == .diskFull)
        try file.put([UInt8](repeating: 3, count: 20), at: 3)
        try file.sync(.data)
        for image in [disk.processDeathImage(), disk.powerLossImage(.everythingSurvives)] {
            let again = try image.open("/x", .readWrite)
            #expect(code { try again.put([UInt8](repeating: 4, count: 21), at: 23) } == .diskFull)
            #expect(try again.status().size == 43)
        }
        try file.truncate(to: 23)
        try other.put([2], at: 57)
        disk.setCanReserve(false)
        #expect(try !file.reserve(from: 23, byteCount: 1))
    }

    @Test(
        "A fault hits the n-th operation of its kind, once or always", arguments: [false, true])
    func ordinals(isSticky: Bool) throws {
        let (disk, file) = try disk()
        disk.plan(Fault(.fails(errno: noSpace), at: 2, of: [.write], isSticky: isSticky))
        var codes: [PlatformError.Code?] = []
        for _ in 0..<4 {
            codes.append(code { try file.put([1], at: 0) })
            try file.sync(.data)
        }
        #expect(codes == [nil, nil, .diskFull, isSticky ? .diskFull : nil])
        disk.forgetPlans()
        try file.put([1], at: 0)
    }

    @Test("A fault can be limited to one file")
    func paths() throws {
        let (disk, file) = try disk()
        let log = try disk.open("/x-log", .createNew)
        disk.plan(
            Fault(.fails(errno: inputOutput), at: 0, of: [.write], pathSuffix: "-log"))
        try file.put([1], at: 0)
        #expect(code { try log.put([1], at: 0) } == .inputOutput)
    }

    @Test("Interrupts and short transfers are retried", arguments: [0, 1, 2, 3])
    func retries(ordinal: Int) throws {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        for effect in [Fault.Effect.interrupted, .shortTransfer] {
            let (disk, file) = try disk()
            disk.plan(
                Fault(effect, at: ordinal, of: [.write, .read, .sync, .truncate], isSticky: false))
            try file.put(bytes, at: 0)
            try file.sync(.data)
            #expect(try file.get(1000) == bytes)
            try file.truncate(to: 1000)
            #expect(disk.contents(of: "/x") == bytes)
        }
    }

    @Test("Transfers that are always short still complete")
    func stickyShortTransfers() throws {
        let (disk, file) = try disk()
        disk.plan(Fault(.shortTransfer, at: 0, of: [.write, .read], isSticky: true))
        let bytes = SplitMix64.bytes(seed: 3, 1000)
        try file.put(bytes, at: 7)
        #expect(try file.get(1000, at: 7) == bytes)
        #expect(disk.operationCount == 10, "1000 halved until nothing was left")
    }

    @Test("A flipped bit is read once and not stored")
    func flippedBit() throws {
        let (disk, file) = try disk([0, 0, 0])
        disk.plan(Fault(.flipsBit(byte: 4, bit: 3), at: 0, of: [.read]))
        #expect(try file.get(3) == [0, 8, 0])
        #expect(try file.get(3) == [0, 0, 0])
    }

    @Test("Lost and misdirected writes are acknowledged")
    func lyingDrive() throws {
        let (disk, file) = try disk([0, 0, 0, 0])
        disk.plan(Fault(.losesWrite, at: 0, of: [.write]))
        disk.plan(Fault(.misdirects(by: 2), at: 1, of: [.write]))
        try file.put([1], at: 0)
        try file.put([2], at: 0)
        #expect(disk.contents(of: "/x") == [0, 0, 2, 0])
    }

    @Test("A failing write may have written half of its data")
    func halfWrites() throws {
        let (disk, file) = try disk([0, 0, 0, 0])
        disk.plan(Fault(.fails(errno: inputOutput, applying: .half), at: 0, of: [.write]))
        #expect(code { try file.put([1, 1, 1, 1], at: 0) } == .inputOutput)
        #expect(disk.contents(of: "/x") == [1, 1, 0, 0])
    }

    @Test("A read-only file system refuses changes", .tags(.security))
    func readOnly() throws {
        let (disk, _) = try disk([1])
        disk.setReadOnly(true)
        #expect(code { _ = try disk.open("/x", .readWrite) } == .readOnlyFileSystem)
        #expect(code { _ = try disk.open("/y", .createNew) } == .readOnlyFileSystem)
        #expect(code { try disk.remove("/x") } == .readOnlyFileSystem)
        #expect(try disk.open("/x", .readOnly).get(9) == [1])
    }

    @Test("Damage affects the medium and the cache")
    func corruption() throws {
        let (disk, file) = try disk([1, 1, 1])
        disk.corrupt("/x", at: 1, xor: 0x80)
        #expect(try file.get(3) == [1, 0x81, 1])
        #expect(disk.powerLossImage(.nothingSurvives).contents(of: "/x") == [1, 0x81, 1])
    }

    @Test("A test can intervene before each operation")
    func steppingIn() throws {
        let (disk, file) = try disk([1])
        let other = disk.anotherProcess()
        let seen = Guarded<[String]>([])
        disk.beforeEachOperation { operation in
            seen.withLock { $0.append(operation.description) }
            disk.beforeEachOperation(nil)
            _ = code { try other.open("/x", .readWrite).put([9], at: 0) }
        }
        #expect(try file.get(1) == [9])
        #expect(seen.withLock { $0 } == ["read /x [0, +1]"])
    }
}
