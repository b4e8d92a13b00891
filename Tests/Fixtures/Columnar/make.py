#!/usr/bin/env python3
"""Writes the golden files of the tests of FirnColumnar with pyarrow.

usage: make.py FOLDER

Every file comes with the rows that it must read as, one JSON array per row: in NAME.ndjson, or in
flat.ndjson for all files of the table that has every type. Numbers of floating point are bit
patterns, and times the numbers that are stored. The two old-*.feather are of pyarrow 0.17.1:
write_feather of 50 rows of id and name, with compression="lz4" and "uncompressed".
"""
import base64
import datetime
import decimal
import json
import math
import pathlib
import random
import struct
import sys
import uuid

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def plain(value):
    """Returns a value as the tests print it."""
    if isinstance(value, bool) or value is None or isinstance(value, (int, str)):
        return value
    if isinstance(value, float):
        return struct.pack(">d", value).hex()
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    if isinstance(value, (bytes, bytearray)):
        return base64.b64encode(value).decode()
    if isinstance(value, uuid.UUID):
        return base64.b64encode(value.bytes).decode()
    if isinstance(value, dict):
        return [plain(part) for part in value.values()]
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    raise TypeError(type(value))


def numbers(column):
    """Returns times as the numbers that are stored, as the tests print them."""
    kind = column.type
    if pa.types.is_date32(kind):
        return column.cast(pa.int32()).to_pylist()
    if pa.types.is_timestamp(kind) or pa.types.is_time64(kind):
        return column.cast(pa.int64()).to_pylist()
    return column.to_pylist()


def save_rows(table, name):
    name = "flat" if table.num_columns == 20 and table.num_rows > 0 else name
    columns = [numbers(column) for column in table.columns]
    with open(folder / f"{name}.ndjson", "w") as file:
        for row in range(table.num_rows):
            values = [plain(column[row]) for column in columns]
            file.write(json.dumps(values, ensure_ascii=False, separators=(",", ":")) + "\n")


def flat(count, seed):
    pick = random.Random(seed)

    def some(make, nulls=0.2):
        return [None if pick.random() < nulls else make() for _ in range(count)]

    words = ["north", "south", "Ærø", "東京", "", "a longer text that repeats", "x" * 70]
    return pa.table({
        "id": pa.array(range(count), pa.int64()),
        "flag": pa.array(some(lambda: pick.random() < 0.5), pa.bool_()),
        "small": pa.array(some(lambda: pick.randrange(-128, 128)), pa.int8()),
        "byte": pa.array(some(lambda: pick.randrange(256)), pa.uint8()),
        "short": pa.array(some(lambda: pick.randrange(-2**15, 2**15)), pa.int16()),
        "whole": pa.array(some(lambda: pick.randrange(-2**31, 2**31)), pa.int32()),
        "large": pa.array(some(lambda: pick.choice(
            [-2**63, 2**63 - 1, 0, pick.randrange(-2**40, 2**40)])), pa.int64()),
        "unsigned": pa.array(some(lambda: pick.choice([0, 2**64 - 1, 5])), pa.uint64()),
        "single": pa.array(some(lambda: pick.choice([0.5, -1.25, math.inf, 3.0])), pa.float32()),
        "real": pa.array(some(lambda: pick.uniform(-1e6, 1e6)), pa.float64()),
        "word": pa.array(some(lambda: pick.choice(words)), pa.string()),
        "text": pa.array(some(lambda: "".join(pick.choices("abcdef ü", k=pick.randrange(20)))),
                         pa.string()),
        "data": pa.array(some(lambda: pick.randbytes(pick.randrange(9))), pa.binary()),
        "price": pa.array(some(lambda: decimal.Decimal(pick.randrange(-10**9, 10**9)).scaleb(-2)),
                          pa.decimal128(12, 2)),
        "big": pa.array(some(lambda: decimal.Decimal(pick.randrange(-10**30, 10**30)).scaleb(-5)),
                        pa.decimal128(38, 5)),
        "day": pa.array(some(lambda: pick.randrange(-100_000, 100_000)), pa.date32()),
        "micro": pa.array(some(lambda: pick.randrange(-10**17, 10**17)), pa.timestamp("us", "UTC")),
        "nano": pa.array(some(lambda: pick.randrange(-10**18, 10**18)), pa.timestamp("ns", "UTC")),
        "all": pa.array([pick.randrange(3) for _ in range(count)], pa.int32()),
        "none": pa.array([None] * count, pa.string()),
    })


def nested(count, seed):
    pick = random.Random(seed)

    def maybe(make, nulls=0.2):
        return None if pick.random() < nulls else make()

    def some(make):
        return [make() for _ in range(pick.randrange(4))]

    def point():
        return {"x": maybe(lambda: pick.randrange(9)), "tags": maybe(lambda: some(
            lambda: maybe(lambda: pick.choice("abc"))))}

    point_type = pa.struct([("x", pa.int32()), ("tags", pa.list_(pa.string()))])
    return pa.table({
        "numbers": pa.array([maybe(lambda: some(lambda: maybe(lambda: pick.randrange(99))))
                             for _ in range(count)], pa.list_(pa.int64())),
        "deep": pa.array([maybe(lambda: some(lambda: maybe(lambda: some(
            lambda: maybe(lambda: pick.random()))))) for _ in range(count)],
            pa.list_(pa.list_(pa.float64()))),
        "point": pa.array([maybe(point) for _ in range(count)], point_type),
        "points": pa.array([maybe(lambda: some(lambda: maybe(point))) for _ in range(count)],
                           pa.list_(point_type)),
        "scores": pa.array([maybe(lambda: [(key, maybe(lambda: pick.randrange(9)))
                                           for key in pick.sample("abcd", pick.randrange(4))])
                            for _ in range(count)], pa.map_(pa.string(), pa.int32())),
    })


def parquet(table, name, **options):
    pq.write_table(table, folder / f"{name}.parquet", **options)
    save_rows(table, name)


table = flat(130, 1)
parquet(table, "plain-none", compression="none", use_dictionary=False)
parquet(table, "dictionary-snappy", compression="snappy", row_group_size=60)
parquet(table, "v2-zstd", compression="zstd", data_page_version="2.0", data_page_size=512)
parquet(table, "gzip-pages", compression="gzip", data_page_size=256, use_dictionary=False)
parquet(table.drop_columns(["nano"]), "lz4", compression="lz4", version="1.0")
parquet(table.select(["id", "small", "whole", "large", "day", "micro"]), "delta-binary",
        use_dictionary=False, compression="none", column_encoding={
            name: "DELTA_BINARY_PACKED"
            for name in ["id", "small", "whole", "large", "day", "micro"]})
parquet(table.select(["word", "text", "data"]), "delta-length", use_dictionary=False,
        compression="none", column_encoding={
            name: "DELTA_LENGTH_BYTE_ARRAY" for name in ["word", "text", "data"]})
parquet(table.select(["word", "text", "data", "big"]), "delta-bytes", use_dictionary=False,
        compression="none", column_encoding={
            name: "DELTA_BYTE_ARRAY" for name in ["word", "text", "data", "big"]})
parquet(table.select(["single", "real", "whole", "large", "big"]), "byte-stream-split",
        use_dictionary=False, compression="zstd", column_encoding={
            name: "BYTE_STREAM_SPLIT" for name in ["single", "real", "whole", "large", "big"]})
parquet(table.select(["flag"]), "rle-bool", use_dictionary=False, compression="none",
        column_encoding={"flag": "RLE"}, data_page_version="2.0")
parquet(table.select(["id", "nano"]), "int96", use_deprecated_int96_timestamps=True)
parquet(nested(130, 2), "nested", compression="snappy", row_group_size=70)
parquet(nested(130, 3), "nested-v2", compression="zstd", data_page_version="2.0",
        data_page_size=256)
parquet(flat(0, 1), "empty")
pq.write_table(table.select(["id"]), folder / "brotli.parquet", compression="brotli")


def arrow(table, name, *, stream, **options):
    path = folder / f"{name}.{'arrows' if stream else 'arrow'}"
    make = pa.ipc.new_stream if stream else pa.ipc.new_file
    with make(path, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        for batch in table.to_batches(max_chunksize=60):
            writer.write_batch(batch)
    save_rows(table, name)


arrow(table, "stream", stream=True)
arrow(table, "file", stream=False)
arrow(table, "stream-zstd", stream=True, compression="zstd")
arrow(table, "file-lz4", stream=False, compression="lz4")
arrow(nested(130, 4), "stream-nested", stream=True)
large = pa.table({
    "text": table["text"].cast(pa.large_string()), "data": table["data"].cast(pa.large_binary()),
    "view": table["word"].cast(pa.string_view()),
    "list": nested(130, 5)["numbers"].cast(pa.large_list(pa.int64())),
    "fixed": pa.array([[i, i + 1] for i in range(130)], pa.list_(pa.int32(), 2)),
    "null": pa.nulls(130),
})
arrow(large, "stream-large", stream=True)
coded = pa.table({"word": table["word"].dictionary_encode(),
                  "day": table["day"].dictionary_encode()})
path = folder / "stream-dictionary.arrows"
with pa.ipc.new_stream(path, coded.schema) as writer:
    writer.write_table(coded)
save_rows(table.select(["word", "day"]), "stream-dictionary")
feather.write_feather(table, folder / "feather.arrow")
save_rows(table, "feather")
spans = pa.table({name: pa.array([90, None], pa.duration(name)) for name in ["s", "ms", "us", "ns"]})
feather.write_feather(spans, folder / "durations.feather", compression="uncompressed")
