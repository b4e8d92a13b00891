import FirnPlatform
import Glibc

/// The whole state of a simulated disk, and its planned faults.
struct SimulatedDisk: Sendable {
    /// The outcome of one operation.
    enum Verdict {
        case proceeds
        /// It fails or the machine stops, after the given part.
        case stops(PlatformError, after: AppliedPart)
        case isInterrupted
        case isShort
        case flipsBit(byte: Int, bit: Int)
        case isLost
        case isMisdirected(by: Int)
    }

    private struct Planned: Sendable {
        let fault: Fault
        var seen = 0
    }

    /// More would only exhaust the memory of the test.
    static let fileBytesMax = 1 << 30
    private static let leftoverBytesMax = 1 << 16
    private static let leftoversMax = 4

    var names = SimulatedNames()
    var inodes: [UInt64: SimulatedInode] = [:]
    var locks = SimulatedLocks()
    /// All open handles.
    private(set) var handles: [UInt64: (inode: UInt64, process: UInt64)] = [:]
    var nextNumber: UInt64 = 1
    /// The number of the boot of the simulated machine.
    var boot: UInt64 = 1
    /// The total size of the files that fits; `nil` for no limit.
    var capacity: Int?
    /// Whether its file system reserves blocks past the end of a file.
    var canReserve = true
    /// The content of recently removed files: their space keeps it until it is overwritten.
    private(set) var leftovers: [[UInt8]] = []
    var isReadOnly = false
    var hasCrashed = false
    private(set) var deadProcesses: Set<UInt64> = []
    /// The parts of interrupted operations that dead processes completed.
    private var lastActs: [UInt64: AppliedPart] = [:]
    /// The reported location of the files and the holders of their locks.
    var volume = VolumeKind.local
    var lockHolders: [LockHolder] = []
    /// Every operation that changed the disk or tried to, in order.
    private(set) var history: [SimulatedOperation] = []
    private var crash: (at: Int, applying: AppliedPart)?
    private var planned: [Planned] = []

    mutating func takeNumber() -> UInt64 {
        defer { nextNumber += 1 }
        return nextNumber
    }

    // MARK: Processes

    func isAlive(_ process: UInt64) -> Bool {
        !hasCrashed && !deadProcesses.contains(process)
    }

    /// Ends a process and drops its locks and handles.
    mutating func kill(_ process: UInt64, applying part: AppliedPart) {
        guard deadProcesses.insert(process).inserted else { return }
        lastActs[process] = part
        locks.releaseAll(process: process)
        for (handle, opened) in handles where opened.process == process { close(handle) }
    }

    /// Clears all state that exists only in processes and in the kernel.
    mutating func endAllProcesses() {
        hasCrashed = false
        deadProcesses = []
        lastActs = [:]
        locks = SimulatedLocks()
        handles = [:]
    }

    // MARK: Handles

    /// Makes a handle of a file for a process.
    mutating func open(_ inode: UInt64, process: UInt64) -> UInt64 {
        let handle = takeNumber()
        handles[handle] = (inode, process)
        return handle
    }

    /// Closes a handle, unless its process has died before.
    mutating func close(_ handle: UInt64) {
        locks.releaseAll(owner: handle)
        guard let opened = handles.removeValue(forKey: handle) else { return }
        dropIfUnreachable(opened.inode)
    }

    // MARK: Plans

    mutating func plan(crashAt operation: Int, applying part: AppliedPart) {
        crash = (operation, part)
    }

    mutating func plan(_ fault: Fault) { planned.append(Planned(fault: fault)) }

    mutating func forgetPlans() {
        crash = nil
        planned = []
    }

    mutating func forgetHistory() { history = [] }

    // MARK: Operations

    /// Counts an operation and decides its outcome. Every call passes through here.
    mutating func begin(_ operation: SimulatedOperation, process: UInt64) -> Verdict {
        let stopped = PlatformError(
            .inputOutput, operation: "simulated crash", path: operation.path, errno: EIO)
        guard isAlive(process) else {
            let part = operation.kind.changesDisk ? lastActs.removeValue(forKey: process) : nil
            return .stops(stopped, after: hasCrashed ? .nothing : part ?? .nothing)
        }
        if operation.kind.changesDisk {
            let number = history.count
            history.append(operation)
            if let crash, number >= crash.at {
                hasCrashed = true
                return .stops(stopped, after: number == crash.at ? crash.applying : .nothing)
            }
        }
        guard let effect = effectOfFault(on: operation) else { return .proceeds }
        switch effect {
        case .fails(let number, let part):
            return .stops(
                PlatformError(
                    system: number, operation: "\(operation.kind)", path: operation.path),
                after: part)
        case .interrupted: return .isInterrupted
        case .shortTransfer: return .isShort
        case .flipsBit(let byte, let bit): return .flipsBit(byte: byte, bit: bit)
        case .losesWrite: return .isLost
        case .misdirects(let distance): return .isMisdirected(by: distance)
        }
    }

    private mutating func effectOfFault(on operation: SimulatedOperation) -> Fault.Effect? {
        var effect: Fault.Effect?
        for index in planned.indices {
            let fault = planned[index].fault
            guard fault.kinds.contains(operation.kind),
                operation.path.hasSuffix(fault.pathSuffix)
            else { continue }
            let seen = planned[index].seen
            planned[index].seen += 1
            let hits = seen == fault.ordinal || (fault.isSticky && seen > fault.ordinal)
            if hits, effect == nil { effect = fault.effect }
        }
        return effect
    }

    /// Begins an operation that happens entirely or not at all, however often it is interrupted,
    /// and returns the error to throw after the given part.
    mutating func decide(
        _ operation: SimulatedOperation, process: UInt64
    ) -> (happens: Bool, error: PlatformError?) {
        while true {
            switch begin(operation, process: process) {
            case .isInterrupted: continue
            case .stops(let error, let part): return (part == .everything, error)
            case .proceeds, .isShort, .flipsBit, .isLost, .isMisdirected: return (true, nil)
            }
        }
    }

    // MARK: Space

    /// The number of bytes by which the files may still grow.
    var room: Int {
        guard let capacity else { return .max }
        // A removed file takes no space, even if a power loss could bring it back.
        let living = Set(names.current.values).union(handles.values.map(\.inode))
        return max(0, capacity - living.reduce(0) { $0 + (inodes[$1]?.allocatedCount ?? 0) })
    }

    /// Frees a file without handles and names, including names that may return after a power loss.
    mutating func dropIfUnreachable(_ inode: UInt64) {
        guard !handles.values.contains(where: { $0.inode == inode }), !names.mayNeed(inode)
        else { return }
        guard let gone = inodes.removeValue(forKey: inode), !gone.durable.isEmpty else { return }
        leftovers.append(Array(gone.durable.prefix(Self.leftoverBytesMax)))
        if leftovers.count > Self.leftoversMax { leftovers.removeFirst() }
    }
}
