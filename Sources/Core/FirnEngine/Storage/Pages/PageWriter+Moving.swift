import FirnCodec
import FirnPlatform
import FirnValues

extension PageWriter {
    /// Writes a page or blob again, unchanged, at another location.
    ///
    /// The bytes are verified on the way, so that damage is not given a valid checksum.
    mutating func copy(
        _ reference: PageReference, to extent: Extent
    ) throws(StoreError) -> PageReference {
        // The size of the file bounds the memory to allocate.
        guard reference.extent.end <= space.endUnit else {
            throw .corrupt(file.path, "a page at byte \(reference.byteOffset) is past the end")
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Int(extent.byteCount), alignment: 16)
        defer { buffer.deallocate() }
        buffer.initializeMemory(as: UInt8.self, repeating: 0)
        let page = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(reference.byteCount)])
        let readCount = try attempt(
            file.read(at: reference.byteOffset, into: page),
            to: "read the page at byte \(reference.byteOffset)")
        guard readCount == page.count else {
            throw .corrupt(file.path, "the file ends in the page at byte \(reference.byteOffset)")
        }
        let checksum = try decoding(
            StoredPage.reseal(
                page, headByteCount: Int(reference.headByteCount), checksum: reference.checksum,
                from: PageReference.seed(fileID: fileID, start: reference.start),
                to: PageReference.seed(fileID: fileID, start: extent.start)),
            "the page at byte \(reference.byteOffset)", in: file.path)
        try attempt(file.write(UnsafeRawBufferPointer(buffer), at: extent.byteOffset), to: "write")
        return PageReference(
            start: extent.start, byteCount: reference.byteCount,
            headByteCount: reference.headByteCount, checksum: checksum)
    }
}
