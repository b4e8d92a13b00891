import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

#if canImport(Glibc)
import Glibc
#endif

/// A child inherits the open files of its parent, and with them its locks.
@Suite("Forked children")
struct ForkTests {
    /// Runs the body in a child.
    ///
    /// - Parameter body: returns the exit status of the child.
    private static func inChild(_ body: () -> Int32) -> Int32 {
        guard let address = dlsym(nil, "fork") else { return -1 }
        // Swift hides fork, because few programs survive it.
        let fork = unsafeBitCast(address, to: (@convention(c) () -> pid_t).self)
        let child = fork()
        if child == 0 { _exit(body()) }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        return status
    }

    @Test(
        "A child process may not use its parent's handles, and opens the database again",
        .tags(.security)
    )
    func reopening() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            let store = try MarkStore.make(folder("f.firn"), .always)
            try MarkStore.commit(1, to: store)
            let before = try MarkStore.commit(2, to: store)
            let path = folder("f.firn")
            let status = ForkTests.inChild {
                do throws(StoreError) {
                    _ = try store.beginWrite(waitNanoseconds: 0)
                    return 1
                } catch {
                    guard error.code == .poisoned, error.detail.contains("forked"),
                        error.remedy == "open it again in the child"
                    else { return 2 }
                }
                do {
                    let own = try Store.open(path, readOnly: false)
                    guard try own.snapshot().version == before else { return 3 }
                    guard try MarkStore.commit(3, to: own) > before else { return 4 }
                    try own.close()
                } catch {
                    return 5
                }
                return 0
            }
            #expect(status == 0)
            #expect(try store.snapshot().version > before, "the child's commit")
            try MarkStore.commit(4, to: store)
            try store.close()
            #expect(folder.names == ["f.firn"])
        }
    }

    @Test(
        "A child process that closes everything does not affect its parent's locks, pins and log",
        .tags(.security)
    )
    func letsGo() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            let path = folder("f.firn")
            var store: Store? = try MarkStore.make(path, .always)
            if let store { for number in 1...2 { try MarkStore.commit(Int64(number), to: store) } }
            let transaction = try store?.beginWrite()
            var snapshot = try store?.snapshot()
            let status = ForkTests.inChild {
                transaction?.rollback()
                try? store?.close()
                snapshot = nil
                store = nil
                return 0
            }
            #expect(status == 0 && snapshot != nil)
            let other = try SystemFileSystem().open(path, .readWrite)
            for range in [LockMap.writer, LockMap.session, LockMap.allPins] {
                #expect(try other.conflictingLock(in: range, .exclusive) != nil, "\(range)")
            }
            #expect(folder.names.contains("f.firn-log0"))
            transaction?.rollback()
            if let store { try MarkStore.commit(3, to: store) }
            try store?.close()
            #expect(folder.names == ["f.firn"])
        }
    }
}
