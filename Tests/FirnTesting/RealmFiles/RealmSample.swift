import CZlib
import FirnPlatform
import RealmFile

/// A Realm file that Realm's own library wrote, and the digest of its contents as lines of JSON.
package struct RealmSample: Sendable, CustomStringConvertible {
    package let name: String
    /// The SHA-256 of the expected dump.
    package let digest: String
    package private(set) var isEncrypted = false
    package var description: String { name }

    /// The key of all encrypted samples.
    package static let key: [UInt8] = Array(0..<64)

    /// The samples that are kept with the tests.
    package static let kept = [
        RealmSample(
            name: "types",
            digest: "f064c3cf00c7db658b085f4096033c01e350a8af8df6ef01b425a36c545c8e75"),
        RealmSample(
            name: "empty",
            digest: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        RealmSample(
            name: "empty-schema",
            digest: "7a2c2b543e123be0d9a2abdc6a4b94c878cbeb412c71c75a9212d67119c30965"),
        RealmSample(
            name: "streaming",
            digest: "fa2d11083d4303678e0d0ee994bb32ffeb78e89761522f9cc359e5d2f5991db7"),
        RealmSample(
            name: "groupwrite",
            digest: "6029f0b79de2e914b687791392c31f78dd2ab3b4be3b0ff126402cba6739a4de"),
        RealmSample(
            name: "compacted",
            digest: "cde174b64d80ddfbb12030ac821acb7d65774501ecd195bd20eb676e89447652"),
        RealmSample(
            name: "unclean2",
            digest: "0cb8234ad23441fcddffd39bc4e2c7a444f9ef92be8025ff74a72563cbc16560"),
        RealmSample(
            name: "torn",
            digest: "0cb8234ad23441fcddffd39bc4e2c7a444f9ef92be8025ff74a72563cbc16560"),
        RealmSample(
            name: "encrypted-streaming",
            digest: "21b22e7967582c581e88b7e428ff1e1188f8afb9a1a688d70cb3099a18b32632",
            isEncrypted: true),
        RealmSample(
            name: "encrypted-interrupted",
            digest: "21b22e7967582c581e88b7e428ff1e1188f8afb9a1a688d70cb3099a18b32632",
            isEncrypted: true),
        RealmSample(
            name: "format21",
            digest: "bc90799e6dfc9b5e354609b4b22d922e1713a4c085eb32e9036fe27a67a3f44a"),
        RealmSample(
            name: "format22",
            digest: "bc90799e6dfc9b5e354609b4b22d922e1713a4c085eb32e9036fe27a67a3f44a"),
    ]

    /// The samples that are kept with the tests, with one whose dump is too long for a digest in
    /// each test run.
    package static let imported = kept + large.prefix(1)

    /// The samples that are too large to keep or to read in each test run, in the folder of `FIRN_REALM_SAMPLES`.
    package static let large = [
        RealmSample(
            name: "people",
            digest: "0f27adf373fdb44d3eab490d92eccf4b33c5de72be882d4285a0fb4e627e9108"),
        RealmSample(
            name: "many",
            digest: "f182d9d2d29f883b4662e947220be44684a1b924b436c19a9ed9e801e284ae9c"),
        RealmSample(
            name: "unclean",
            digest: "f8e5987aaf97dda3a6f90ad4f6c4000b7e0f60be4d9b3008e5253be13890bb5b"),
        RealmSample(
            name: "encrypted",
            digest: "8c7232d8ee34164e50534c3ae1382cf8e128dbcd16d288f942178e7414e7b6e3",
            isEncrypted: true),
        RealmSample(
            name: "format20",
            digest: "fa2d11083d4303678e0d0ee994bb32ffeb78e89761522f9cc359e5d2f5991db7"),
        RealmSample(
            name: "format23",
            digest: "fa2d11083d4303678e0d0ee994bb32ffeb78e89761522f9cc359e5d2f5991db7"),
        RealmSample(
            name: "big",
            digest: "59c9b75b587d725fe9f001631667cbc8768e65d688299dcc9d4398b0ec0b64d3"),
    ]

    /// The folder with the samples that are too large to keep.
    package static let folder = Environment.variable("FIRN_REALM_SAMPLES").flatMap {
        $0.isEmpty ? nil : $0
    }

    package var keyOfFile: [UInt8]? { isEncrypted ? RealmSample.key : nil }

    /// The content of a file that is kept with the tests.
    ///
    /// - Parameter suffix: `realm` or `ndjson`.
    package static func bytes(_ name: String, _ suffix: String = "realm") throws -> [UInt8] {
        let path = "Realm/\(name).\(suffix)"
        if try SystemServices.real.files.status(of: Fixtures.path(path)) != nil {
            return try Fixtures.bytes(path)
        }
        return try unzipped(try Fixtures.bytes(path + ".gz"))
    }

    /// The content of a file outside; `nil` if no folder is named.
    package func largeBytes() throws -> [UInt8]? {
        guard let folder = RealmSample.folder else { return nil }
        let path = "\(folder)/\(name).realm"
        guard try SystemServices.real.files.status(of: path) != nil else {
            return try RealmSample.unzipped(try RealmSample.content("\(path).gz"))
        }
        return try RealmSample.content(path)
    }

    private static func content(_ path: String) throws -> [UInt8] {
        let file = try FileAccessor(try SystemServices.real.files.open(path, .readOnly))
        var bytes = [UInt8](repeating: 0, count: Int(clamping: file.size))
        _ = try bytes.withUnsafeMutableBytes { try file.read(at: 0, into: $0) }
        return bytes
    }

    private static func unzipped(_ compressed: [UInt8]) throws -> [UInt8] {
        var compressed = compressed
        var stream = z_stream()
        var status = inflateInit2_(
            &stream, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        defer { inflateEnd(&stream) }
        var content: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        compressed.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            while status == Z_OK {
                let count = piece.withUnsafeMutableBufferPointer { output in
                    stream.next_out = output.baseAddress
                    stream.avail_out = UInt32(output.count)
                    status = inflate(&stream, Z_NO_FLUSH)
                    return output.count - Int(stream.avail_out)
                }
                content += piece[..<count]
            }
        }
        guard status == Z_STREAM_END else { throw ProgramError("a sample is not complete gzip") }
        return content
    }
}

extension RealmSample {
    /// The path of a file that is kept with the tests.
    package static func path(_ name: String) -> String { Fixtures.path("Realm/\(name)") }
}
